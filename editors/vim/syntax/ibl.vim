" Syntax of ibcheck scenarios.
" Generated from the tables of the language by go generate ./internal/syntax; changes go there.

if exists('b:current_syntax')
  finish
endif

syntax match iblNumber /\<\d\+\>/
syntax match iblSymbol /<->\|->\|<-\|==\|!=\|<=\|>=\|=>\|\.\.\|&&\|||\|[=<>+|!-]/
syntax match iblJoining /\v%(\.)@1<!<%(expect|faults|else|with|as|in|on)>%([.*])@!/
syntax match iblProfile /\v%(\.)@1<!<%(arrival_order|rxe_smp|iba|pib|qib|rxe)>%([.*])@!/
syntax match iblVerdict /\v%(\.)@1<!<%(unreachable|reachable|violated|unknown|holds)>%([.*])@!/
syntax match iblConstant /\v%(\.)@1<!<%(IBV_EVENT_QP_|IB_EVENT_QP_|IBV_ACCESS_|IBV_EVENT_|IB_ACCESS_|IB_EVENT_|IBV_QPS_|IBV_QPT_|IBV_WC_|IB_QPS_|IB_QPT_|IB_WC_)?%(RECV_RDMA_WITH_IMM|RNR_RETRY_EXC_ERR|SRQ_LIMIT_REACHED|LAST_WQE_REACHED|RELAXED_ORDERING|REM_INV_REQ_ERR|LOC_ACCESS_ERR|REM_ACCESS_ERR|LOC_QP_OP_ERR|QP_ACCESS_ERR|READ_RESPONSE|REMOTE_ATOMIC|RETRY_EXC_ERR|BAD_RESP_ERR|LOC_PROT_ERR|REMOTE_WRITE|WR_FLUSH_ERR|LOCAL_WRITE|LOC_LEN_ERR|MW_BIND_ERR|REMOTE_READ|ATOMIC_ACK|QP_REQ_ERR|REM_OP_ERR|SQ_DRAINED|COMP_SWAP|DESTROYED|FETCH_ADD|COMM_EST|QP_FATAL|response|RNR_NAK|SUCCESS|request|ATOMIC|CQ_ERR|RESET|WRITE|INIT|READ|RECV|ACK|ERR|NAK|RTR|RTS|SQD|SQE|RC)>%([.*])@!/
syntax match iblPredicate /\v%(\.)@1<!<%(retry_exhausted|rnr_exhausted|historically|out_of_range|async_event|lost_wakeup|hca_access|bad_state|overflow|invoked|open_wr|sq_leak|asleep|bug_on|event|once|prev|all|any|rnr)>%([.*])@!/
syntax match iblOperator /\v%(\.)@1<!<%(eventually|precedes|leadsto|always|false|final|never|since|until|true|and|not|or)>%([.*])@!/
syntax match iblOption /\v%(\.)@1<!<%(invalidate_rkey|compare|sg_list|length|remote|swap|add|key|sg)>%([.*])@!/
syntax match iblFlag /\v%(\.)@1<!<%(IBV_SEND_|IB_SEND_|IB_CQ_)?%(REPORT_MISSED_EVENTS|NEXT_COMP|SOLICITED|SIGNALED|INLINE|FENCE)>%([.*])@!/
syntax match iblOpcode /\v%(\.)@1<!<%(IBV_WR_|IBV_WC_|IB_WR_|IB_WC_)?%(ATOMIC_FETCH_AND_ADD|RDMA_WRITE_WITH_IMM|ATOMIC_CMP_AND_SWP|SEND_WITH_IMM|SEND_WITH_INV|RDMA_WRITE|LOCAL_INV|RDMA_READ|BIND_MW|REG_MR|SEND)>%([.*])@!/
syntax match iblField /\v%([A-Za-z0-9_*\]]\.)@2<=<%(registered|executed|arrived|flushed|retried|sq_free|failed|opcode|placed|posted|status|acked|freed|state|value|data|sent|cqe|len|msg|src|ok|qp|wc|wr)>\.@!/
syntax match iblDial /\v%(^\s*|[{;]\s*|<replicate\s+\w+\s+|<else\s+)@<=<%(ack\.order_vs_own_requests|error\.acked_unreported|ack\.order_vs_recv_cqe|cq\.error_is_solicited|destroy\.purges_cqes|requester\.cqe_delay|requester\.lax_read|error\.older_first|error\.queue_order|rnr\.counts_as_nak|ack\.on_duplicate|cq\.missed_report|fence\.local_inv|event\.last_wqe|ack\.coalesce|atomic\.saved|cq\.arm_index|retry_cnt_7|fence\.lift|read\.fetch|placement|transport|cq\.rearm|srq\.fifo|hca\.cpu|profile|ackreq)>%([.*])@!/
syntax match iblAttribute /\v%(^\s*|[{;]\s*|<replicate\s+\w+\s+|<else\s+)@<=<%(max_dest_rd_atomic|early_timeout|max_rd_atomic|min_rnr_timer|unregistered|max_recv_wr|max_send_wr|sq_sig_all|retry_cnt|rnr_retry|srq_limit|path_mtu|qp_state|corrupt|qp_type|recv_cq|reorder|send_cq|timeout|access|length|max_wr|depth|limit|state|units|drop|init|kill|spec|tags|cqe|doc|dup|mtu|ref|tag)>%([.*])@!/
syntax match iblVerb /\v%(^\s*|[{;]\s*|<replicate\s+\w+\s+|<else\s+)@<=<%(ibv_|ib_)?%(get_async_event|ack_cq_events|post_srq_recv|req_notify_cq|get_cq_event|destroy_cq|destroy_qp|invalidate|modify_srq|create_qp|modify_qp|post_recv|post_send|dereg_mr|drain_qp|drain_rq|drain_sq|arm_srq|poll_cq|BUG_ON|bug_on|reg_mr|alloc|count|drain|write|free|hear|read|tell|set)>%([.*])@!/
syntax match iblDeclaration /\v%(^\s*|[{;]\s*|<replicate\s+\w+\s+|<else\s+)@<=<%(comp_channel|replicate|channel|connect|assert|assume|faults|import|litmus|thread|allow|check|param|reach|node|vary|srq|var|cq|mr|on|qp)>%([.*])@!/
syntax match iblControl /\v%(^\s*|[{;]\s*|<replicate\s+\w+\s+|<else\s+)@<=<%(mutex_unlock|spin_unlock|mutex_lock|spin_lock|atomic|either|repeat|unlock|lock|loop|stop|wait|if)>%([.*])@!/
syntax match iblProperty /\v%(<%(assert|reach)\s+)@<=[A-Za-z_][A-Za-z0-9_*]*/
syntax match iblEscape /\\["\\]/ contained
syntax region iblString start=/"/ skip=/\\["\\]/ end=/"\|$/ contains=iblEscape oneline
syntax keyword iblTodo BUG NOTE contained
syntax match iblComment /#.*$\|\/\/.*$/ contains=iblTodo,@Spell
syntax region iblFold start=/{/ end=/}/ transparent fold

highlight default link iblControl Conditional
highlight default link iblDeclaration Structure
highlight default link iblVerb Function
highlight default link iblAttribute Type
highlight default link iblDial Type
highlight default link iblField Identifier
highlight default link iblOpcode Special
highlight default link iblFlag StorageClass
highlight default link iblOption Type
highlight default link iblOperator Operator
highlight default link iblPredicate PreProc
highlight default link iblConstant Constant
highlight default link iblVerdict Boolean
highlight default link iblProfile Constant
highlight default link iblJoining Keyword
highlight default link iblNumber Number
highlight default link iblSymbol Operator
highlight default link iblProperty Function
highlight default link iblEscape SpecialChar
highlight default link iblString String
highlight default link iblTodo Todo
highlight default link iblComment Comment

let b:current_syntax = 'ibl'
