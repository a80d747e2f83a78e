-- The go-back-N machine of gbn.go, for rumur: the same rules in their order.

const
  Messages: 5;
  Window: 3;    -- in flight, and receives posted ahead
  Capacity: 3;  -- packets in a channel
  Drops: 2;
  Retries: 2;

type
  Count: 0..Messages;
  Response: 0..2*Messages+1;  -- the PSN expected next; a NAK has Messages+1 more

var
  -- requester
  posted, next, unacked, polled: Count;
  retried: 0..Retries;
  failed: boolean;
  -- responder
  expected, receives, received: Count;
  owesAck, owesNak, gapKnown: boolean;
  -- wire; places behind the last packet are 0, so that equal channels are equal states
  dropped: 0..Drops;
  requests: array [1..Capacity] of Count;
  responses: array [1..Capacity] of Response;
  requestsIn, responsesIn: 0..Capacity;

procedure takeRequest();
begin
  for i: 1..Capacity-1 do requests[i] := requests[i+1]; end;
  requests[Capacity] := 0;
  requestsIn := requestsIn - 1;
end;

procedure takeResponse();
begin
  for i: 1..Capacity-1 do responses[i] := responses[i+1]; end;
  responses[Capacity] := 0;
  responsesIn := responsesIn - 1;
end;

procedure respond(r: Response);
begin
  responsesIn := responsesIn + 1;
  responses[responsesIn] := r;
end;

startstate
begin
  clear posted; clear next; clear unacked; clear polled; clear retried; clear failed;
  clear expected; clear receives; clear received; clear owesAck; clear owesNak; clear gapKnown;
  clear dropped; clear requests; clear responses; clear requestsIn; clear responsesIn;
end;

rule "post"
  !failed & posted < Messages & posted - unacked < Window ==>
begin posted := posted + 1; end;

rule "send"
  !failed & next < posted & requestsIn < Capacity ==>
begin
  requestsIn := requestsIn + 1;
  requests[requestsIn] := next;
  next := next + 1;
end;

rule "drop request"
  dropped < Drops & requestsIn > 0 ==>
begin takeRequest(); dropped := dropped + 1; end;

rule "receive request"
  requestsIn > 0 ==>
var psn: Count;
begin
  psn := requests[1];
  takeRequest();
  if psn = expected & receives > expected then
    expected := expected + 1;
    owesAck := true; owesNak := false; gapKnown := false;
  elsif psn < expected then
    owesAck := true;
  elsif psn > expected & !gapKnown then
    owesNak := true; gapKnown := true;
  end;
end;

rule "send ACK"
  owesAck & responsesIn < Capacity ==>
begin respond(expected); owesAck := false; end;

rule "send NAK"
  owesNak & responsesIn < Capacity ==>
begin respond(Messages + 1 + expected); owesNak := false; end;

rule "drop response"
  dropped < Drops & responsesIn > 0 ==>
begin takeResponse(); dropped := dropped + 1; end;

rule "receive response"
  responsesIn > 0 ==>
var psn: Response; nak: boolean;
begin
  psn := responses[1];
  takeResponse();
  if !failed then
    nak := psn > Messages;
    if nak then psn := psn - (Messages + 1); end;
    if psn > unacked then unacked := psn; retried := 0; end;
    if next < unacked | (nak & psn = unacked) then next := unacked; end;
  end;
end;

rule "time out"
  !failed & unacked < next & retried < Retries ==>
begin retried := retried + 1; next := unacked; end;

rule "fail"
  !failed & unacked < next & retried = Retries ==>
begin failed := true; end;

rule "poll send"
  polled < unacked ==>
begin polled := polled + 1; end;

rule "poll receive"
  received < expected ==>
begin received := received + 1; end;

rule "post receive"
  receives < Messages & receives - received < Window ==>
begin receives := receives + 1; end;

invariant "laws"
  polled <= unacked & unacked <= next & next <= posted & unacked <= expected &
  received <= expected & expected <= receives & expected <= posted;
