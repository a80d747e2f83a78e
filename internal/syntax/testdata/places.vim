" Prints the syntax group at each of some places of a file: $IBL_FILE, with the
" places in $IBL_PLACES and the answers to $IBL_ANSWERS, both JSON.
set nocompatible
let &runtimepath = $IBL_RUNTIME . ',' . &runtimepath
filetype plugin on
syntax on
execute 'edit' fnameescape($IBL_FILE)
let s:out = []
for s:place in json_decode(join(readfile($IBL_PLACES), ''))
  call add(s:out, synIDattr(synID(s:place[0], s:place[1], 1), 'name'))
endfor
call writefile([json_encode([&filetype, s:out])], $IBL_ANSWERS)
qall!
