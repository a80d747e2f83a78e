" Settings for ibcheck scenarios: comments, indentation, words.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:#,://
setlocal shiftwidth=2 softtabstop=2 expandtab
setlocal smartindent cinwords=

if executable('ibcheck')
  setlocal formatprg=ibcheck\ fmt\ -
endif

let b:undo_ftplugin = 'setlocal commentstring< comments< shiftwidth< softtabstop< expandtab< smartindent< cinwords< formatprg<'
