// A tree-sitter grammar for ibcheck scenarios: words by their class, and brackets.
// Generated from the tables of the language by go generate ./internal/syntax; changes go there.

module.exports = grammar({
  name: 'ibl',

  extras: $ => [/\s/, $.comment],

  rules: {
    source_file: $ => repeat($._item),

    _item: $ => choice(
      $.block,
      $.list,
      $.arguments,
      $.access,
      $.string,
      $.number,
      $.symbol,
      $.identifier,
      $.control,
      $.declaration,
      $.verb,
      $.attribute,
      $.dial,
      $.opcode,
      $.flag,
      $.option,
      $.operator,
      $.predicate,
      $.constant,
      $.verdict,
      $.profile,
      $.joining,
    ),

    block: $ => seq('{', repeat($._item), '}'),
    list: $ => seq('[', repeat($._item), ']'),
    arguments: $ => seq('(', repeat($._item), ')'),
    access: $ => seq(token.immediate('.'), choice($.field, $.identifier)),

    control: $ => /mutex_unlock|spin_unlock|mutex_lock|spin_lock|atomic|either|repeat|unlock|lock|loop|stop|wait|if/,
    declaration: $ => /comp_channel|replicate|channel|connect|assert|assume|faults|import|litmus|thread|allow|check|param|reach|node|vary|srq|var|cq|mr|on|qp/,
    verb: $ => /(ibv_|ib_)?(get_async_event|ack_cq_events|post_srq_recv|req_notify_cq|get_cq_event|destroy_cq|destroy_qp|invalidate|modify_srq|create_qp|modify_qp|post_recv|post_send|dereg_mr|drain_qp|drain_rq|drain_sq|arm_srq|poll_cq|BUG_ON|bug_on|reg_mr|alloc|count|drain|write|free|hear|read|tell|set)/,
    attribute: $ => /max_dest_rd_atomic|early_timeout|max_rd_atomic|min_rnr_timer|unregistered|max_recv_wr|max_send_wr|sq_sig_all|retry_cnt|rnr_retry|srq_limit|path_mtu|qp_state|corrupt|qp_type|recv_cq|reorder|send_cq|timeout|access|length|max_wr|depth|limit|state|units|drop|init|kill|spec|tags|cqe|doc|dup|mtu|ref|tag/,
    dial: $ => /ack\.order_vs_own_requests|error\.acked_unreported|ack\.order_vs_recv_cqe|cq\.error_is_solicited|destroy\.purges_cqes|requester\.cqe_delay|requester\.lax_read|error\.older_first|error\.queue_order|rnr\.counts_as_nak|ack\.on_duplicate|cq\.missed_report|fence\.local_inv|event\.last_wqe|ack\.coalesce|atomic\.saved|cq\.arm_index|retry_cnt_7|fence\.lift|read\.fetch|placement|transport|cq\.rearm|srq\.fifo|hca\.cpu|profile|ackreq/,
    field: $ => /registered|executed|arrived|flushed|retried|sq_free|failed|opcode|placed|posted|status|acked|freed|state|value|data|sent|cqe|len|msg|src|ok|qp|wc|wr/,
    opcode: $ => /(IBV_WR_|IBV_WC_|IB_WR_|IB_WC_)?(ATOMIC_FETCH_AND_ADD|RDMA_WRITE_WITH_IMM|ATOMIC_CMP_AND_SWP|SEND_WITH_IMM|SEND_WITH_INV|RDMA_WRITE|LOCAL_INV|RDMA_READ|BIND_MW|REG_MR|SEND)/,
    flag: $ => /(IBV_SEND_|IB_SEND_|IB_CQ_)?(REPORT_MISSED_EVENTS|NEXT_COMP|SOLICITED|SIGNALED|INLINE|FENCE)/,
    option: $ => /invalidate_rkey|compare|sg_list|remote|swap|add|key|sg/,
    operator: $ => /eventually|precedes|leadsto|always|false|final|never|since|until|true|and|not|or/,
    predicate: $ => /retry_exhausted|rnr_exhausted|historically|out_of_range|async_event|lost_wakeup|hca_access|bad_state|overflow|invoked|open_wr|sq_leak|asleep|event|once|prev|all|any|rnr/,
    constant: $ => /(IBV_EVENT_QP_|IB_EVENT_QP_|IBV_ACCESS_|IBV_EVENT_|IB_ACCESS_|IB_EVENT_|IBV_QPS_|IBV_QPT_|IBV_WC_|IB_QPS_|IB_QPT_|IB_WC_)?(RECV_RDMA_WITH_IMM|RNR_RETRY_EXC_ERR|SRQ_LIMIT_REACHED|LAST_WQE_REACHED|RELAXED_ORDERING|REM_INV_REQ_ERR|LOC_ACCESS_ERR|REM_ACCESS_ERR|LOC_QP_OP_ERR|QP_ACCESS_ERR|READ_RESPONSE|REMOTE_ATOMIC|RETRY_EXC_ERR|BAD_RESP_ERR|LOC_PROT_ERR|REMOTE_WRITE|WR_FLUSH_ERR|LOCAL_WRITE|LOC_LEN_ERR|MW_BIND_ERR|REMOTE_READ|ATOMIC_ACK|QP_REQ_ERR|REM_OP_ERR|SQ_DRAINED|COMP_SWAP|DESTROYED|FETCH_ADD|COMM_EST|QP_FATAL|response|RNR_NAK|SUCCESS|request|ATOMIC|CQ_ERR|RESET|WRITE|INIT|READ|RECV|ACK|ERR|NAK|RTR|RTS|SQD|SQE|RC)/,
    verdict: $ => /unreachable|reachable|violated|unknown|holds/,
    profile: $ => /arrival_order|rxe_smp|iba|pib|qib|rxe/,
    joining: $ => /expect|else|with|as|in/,

    identifier: $ => /[0-9]*[A-Za-z_][A-Za-z0-9_]*\*?/,
    number: $ => /[0-9]+/,
    string: $ => /"([^"\\\n]|\\[^\n])*"/,
    symbol: $ => token(choice(
      '<->', '->', '<-', '==', '!=', '<=', '>=', '=>', '..', '&&', '||',
      '=', '<', '>', '+', '-', '*', '|', '!', ',', ';', ':',
    )),
    comment: $ => token(choice(seq('#', /.*/), seq('//', /.*/))),
  },
});
