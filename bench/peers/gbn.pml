/* The go-back-N machine of gbn.go, for spin. Each option of the loop is one of
   the rules there, in their order, and one indivisible step. */

#define N 5  /* messages */
#define Q 3  /* in flight, and receives posted ahead */
#define C 3  /* packets in a channel */
#define D 2  /* drops */
#define R 2  /* retries */

/* requester */
byte posted, next, unacked, polled, retries;
bit failed;
/* responder */
byte expected, receives, received;
bit owesAck, owesNak, gapKnown;
/* wire */
byte drops;
chan requests = [C] of { byte };   /* PSNs */
chan responses = [C] of { byte };  /* the PSN expected next; a NAK has N+1 more */

hidden byte psn;  /* of the packet at hand, no part of a state */

inline acknowledged() {
	if
	:: psn > unacked -> unacked = psn; retries = 0
	:: else
	fi;
	if
	:: next < unacked -> next = unacked
	:: else
	fi
}

inline laws() {
	assert(polled <= unacked && unacked <= next && next <= posted && unacked <= expected);
	assert(received <= expected && expected <= receives && expected <= posted)
}

active proctype machine() {
end:	do
	:: d_step { !failed && posted < N && posted - unacked < Q -> posted++; laws() }
	:: d_step { !failed && next < posted && nfull(requests) -> requests!next; next++; laws() }
	:: d_step { drops < D && nempty(requests) -> requests?psn; drops++; laws() }
	:: d_step { nempty(requests) -> requests?psn;
		if
		:: psn == expected && receives > expected -> expected++; owesAck = 1; owesNak = 0; gapKnown = 0
		:: psn < expected -> owesAck = 1
		:: psn > expected && !gapKnown -> owesNak = 1; gapKnown = 1
		:: else
		fi; laws() }
	:: d_step { owesAck && nfull(responses) -> responses!expected; owesAck = 0; laws() }
	:: d_step { owesNak && nfull(responses) -> responses!(N+1+expected); owesNak = 0; laws() }
	:: d_step { drops < D && nempty(responses) -> responses?psn; drops++; laws() }
	:: d_step { nempty(responses) -> responses?psn;
		if
		:: failed
		:: !failed && psn <= N -> acknowledged()
		:: else -> psn = psn - (N+1); acknowledged();
			if
			:: psn == unacked -> next = unacked
			:: else
			fi
		fi; laws() }
	:: d_step { !failed && unacked < next && retries < R -> retries++; next = unacked; laws() }
	:: d_step { !failed && unacked < next && retries == R -> failed = 1; laws() }
	:: d_step { polled < unacked -> polled++; laws() }
	:: d_step { received < expected -> received++; laws() }
	:: d_step { receives < N && receives - received < Q -> receives++; laws() }
	od
}
