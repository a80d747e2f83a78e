;;; ibl-mode.el --- major mode for ibcheck scenarios  -*- lexical-binding: t; -*-

;; Version: 1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages
;; URL: https://github.com/ibcheck/ibcheck

;;; Commentary:

;; Colours, comments and indentation for .ibl files; `ibcheck lsp' does the rest,
;; by eglot or lsp-mode.
;;
;; Generated from the tables of the language by go generate ./internal/syntax; changes go there.

;;; Code:

(defvar ibl-font-lock-keywords
  (list
   (list (concat "\\(?:^\\|[{;]\\|\\_<else\\)[ \t]*\\(" (regexp-opt '("atomic" "either" "if" "lock" "loop" "mutex_lock" "mutex_unlock" "repeat" "spin_lock" "spin_unlock" "stop" "unlock" "wait")) "\\)\\_>[^.*]") 1 ''font-lock-keyword-face)
   (list (concat "\\(?:^\\|[{;]\\|\\_<else\\)[ \t]*\\(" (regexp-opt '("allow" "assert" "assume" "channel" "check" "comp_channel" "connect" "cq" "faults" "import" "litmus" "mr" "node" "on" "param" "qp" "reach" "replicate" "srq" "thread" "var" "vary")) "\\)\\_>[^.*]") 1 ''font-lock-keyword-face)
   (list (concat "\\(?:^\\|[{;]\\|\\_<else\\)[ \t]*\\(" (regexp-opt '("ibv_" "ib_")) "?" (regexp-opt '("BUG_ON" "ack_cq_events" "alloc" "arm_srq" "bug_on" "count" "create_qp" "dereg_mr" "destroy_cq" "destroy_qp" "drain" "drain_qp" "drain_rq" "drain_sq" "free" "get_async_event" "get_cq_event" "hear" "invalidate" "modify_qp" "modify_srq" "poll_cq" "post_recv" "post_send" "post_srq_recv" "read" "reg_mr" "req_notify_cq" "set" "tell" "write")) "\\)\\_>[^.*]") 1 ''font-lock-builtin-face)
   (list (concat "\\(?:^\\|[{;]\\|\\_<else\\)[ \t]*\\(" (regexp-opt '("access" "corrupt" "cqe" "depth" "doc" "drop" "dup" "early_timeout" "init" "kill" "length" "limit" "max_dest_rd_atomic" "max_rd_atomic" "max_recv_wr" "max_send_wr" "max_wr" "min_rnr_timer" "mtu" "path_mtu" "qp_state" "qp_type" "recv_cq" "ref" "reorder" "retry_cnt" "rnr_retry" "send_cq" "spec" "sq_sig_all" "srq_limit" "state" "tag" "tags" "timeout" "units" "unregistered")) "\\)\\_>[^.*]") 1 ''font-lock-type-face)
   (list (concat "\\(?:^\\|[{;]\\|\\_<else\\)[ \t]*\\(" (regexp-opt '("ack.coalesce" "ack.on_duplicate" "ack.order_vs_own_requests" "ack.order_vs_recv_cqe" "ackreq" "atomic.saved" "cq.arm_index" "cq.error_is_solicited" "cq.missed_report" "cq.rearm" "destroy.purges_cqes" "error.acked_unreported" "error.older_first" "error.queue_order" "event.last_wqe" "fence.lift" "fence.local_inv" "hca.cpu" "placement" "profile" "read.fetch" "requester.cqe_delay" "requester.lax_read" "retry_cnt_7" "rnr.counts_as_nak" "srq.fifo" "transport")) "\\)\\_>[^.*]") 1 ''font-lock-type-face)
   (list (concat "[]A-Za-z0-9_*]\\.\\(" (regexp-opt '("acked" "arrived" "cqe" "data" "executed" "failed" "flushed" "freed" "len" "msg" "ok" "opcode" "placed" "posted" "qp" "registered" "retried" "sent" "sq_free" "src" "state" "status" "value" "wc" "wr")) "\\)\\_>") 1 ''font-lock-variable-name-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("IBV_WR_" "IB_WR_" "IBV_WC_" "IB_WC_")) "?" (regexp-opt '("ATOMIC_CMP_AND_SWP" "ATOMIC_FETCH_AND_ADD" "BIND_MW" "LOCAL_INV" "RDMA_READ" "RDMA_WRITE" "RDMA_WRITE_WITH_IMM" "REG_MR" "SEND" "SEND_WITH_IMM" "SEND_WITH_INV")) "\\)\\_>") 1 ''font-lock-function-name-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("IBV_SEND_" "IB_SEND_" "IB_CQ_")) "?" (regexp-opt '("FENCE" "INLINE" "NEXT_COMP" "REPORT_MISSED_EVENTS" "SIGNALED" "SOLICITED")) "\\)\\_>") 1 ''font-lock-builtin-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("add" "compare" "invalidate_rkey" "key" "length" "remote" "sg" "sg_list" "swap")) "\\)\\_>") 1 ''font-lock-type-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("always" "and" "eventually" "false" "final" "leadsto" "never" "not" "or" "precedes" "since" "true" "until")) "\\)\\_>") 1 ''font-lock-keyword-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("all" "any" "asleep" "async_event" "bad_state" "bug_on" "event" "hca_access" "historically" "invoked" "lost_wakeup" "once" "open_wr" "out_of_range" "overflow" "prev" "retry_exhausted" "rnr" "rnr_exhausted" "sq_leak")) "\\)\\_>") 1 ''font-lock-preprocessor-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("IBV_WC_" "IB_WC_" "IBV_QPS_" "IB_QPS_" "IBV_EVENT_" "IB_EVENT_" "IBV_QPT_" "IB_QPT_" "IBV_ACCESS_" "IB_ACCESS_" "IBV_EVENT_QP_" "IB_EVENT_QP_")) "?" (regexp-opt '("ACK" "ATOMIC" "ATOMIC_ACK" "BAD_RESP_ERR" "COMM_EST" "COMP_SWAP" "CQ_ERR" "DESTROYED" "ERR" "FETCH_ADD" "INIT" "LAST_WQE_REACHED" "LOCAL_WRITE" "LOC_ACCESS_ERR" "LOC_LEN_ERR" "LOC_PROT_ERR" "LOC_QP_OP_ERR" "MW_BIND_ERR" "NAK" "QP_ACCESS_ERR" "QP_FATAL" "QP_REQ_ERR" "RC" "READ" "READ_RESPONSE" "RECV" "RECV_RDMA_WITH_IMM" "RELAXED_ORDERING" "REMOTE_ATOMIC" "REMOTE_READ" "REMOTE_WRITE" "REM_ACCESS_ERR" "REM_INV_REQ_ERR" "REM_OP_ERR" "RESET" "RETRY_EXC_ERR" "RNR_NAK" "RNR_RETRY_EXC_ERR" "RTR" "RTS" "SQD" "SQE" "SQ_DRAINED" "SRQ_LIMIT_REACHED" "SUCCESS" "WRITE" "WR_FLUSH_ERR" "request" "response")) "\\)\\_>") 1 ''font-lock-constant-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("holds" "reachable" "unknown" "unreachable" "violated")) "\\)\\_>") 1 ''font-lock-constant-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("arrival_order" "iba" "pib" "qib" "rxe" "rxe_smp")) "\\)\\_>") 1 ''font-lock-constant-face)
   (list (concat "\\(?:^\\|[^.A-Za-z0-9_]\\)\\(" (regexp-opt '("as" "else" "expect" "faults" "in" "on" "with")) "\\)\\_>") 1 ''font-lock-keyword-face)
   (list (concat "\\_<replicate[ \t]+[A-Za-z0-9_]+[ \t]+\\(" (regexp-opt '("allow" "assert" "assume" "channel" "check" "comp_channel" "connect" "cq" "faults" "import" "litmus" "mr" "node" "on" "param" "qp" "reach" "replicate" "srq" "thread" "var" "vary")) "\\)\\_>") 1 ''font-lock-keyword-face)
   (list "\\_<\\(?:assert\\|reach\\)[ \t]+\\([A-Za-z_][A-Za-z0-9_*]*\\)" 1 ''font-lock-function-name-face)
   (list "\\_<[0-9]+\\_>" 0 ''font-lock-constant-face))
  "What `ibl-mode' colours: the words of the language, by their places.")

(defvar ibl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?. "." table)
    table)
  "Syntax table of `ibl-mode'.")

(defcustom ibl-indent-offset 2
  "Columns that a block is indented by."
  :type 'integer
  :safe #'integerp
  :group 'languages)

(defun ibl-indent-line ()
  "Indent the current line by the braces around it."
  (interactive)
  (let* ((depth (save-excursion (back-to-indentation) (car (syntax-ppss))))
         (closes (save-excursion (back-to-indentation) (looking-at "[]})]")))
         (column (* ibl-indent-offset (max 0 (if closes (1- depth) depth)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode ibl-mode prog-mode "ibl"
  "Major mode for scenarios of ibcheck."
  (setq-local font-lock-defaults '(ibl-font-lock-keywords))
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "\\(?:#+\\|//+\\)[ \t]*")
  (setq-local comment-end "")
  (setq-local indent-line-function #'ibl-indent-line)
  (setq-local imenu-generic-expression
              '(("Nodes" "^[ \t]*\\(?:replicate[ \t]+[A-Za-z0-9_]+[ \t]+\\)?node[ \t]+\\([A-Za-z0-9_]+\\)" 1)
                ("Properties" "^[ \t]*\\(?:assert\\|reach\\)[ \t]+\\([A-Za-z0-9_*]+\\)" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ibl\\'" . ibl-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(ibl-mode . ("ibcheck" "lsp"))))

(provide 'ibl-mode)
;;; ibl-mode.el ends here
