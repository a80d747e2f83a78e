autocmd BufRead,BufNewFile *.ibl setfiletype ibl
