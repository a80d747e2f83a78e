-- A client that is not ours: the one built into neovim. It opens a scenario with
-- a mistake, takes what the server says, and writes it to $IBL_ANSWERS as JSON.
local seen = {}
local diagnosed = 0
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(...)
  diagnosed = diagnosed + 1
  vim.lsp.diagnostic.on_publish_diagnostics(...)
end
vim.cmd('edit ' .. vim.env.IBL_FILE)
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = 'ibcheck', cmd = { vim.env.IBL_SERVER }, root_dir = vim.fn.getcwd(),
  on_exit = function(code) seen.exit = code end })
vim.lsp.buf_attach_client(buffer, id)
local client = vim.lsp.get_client_by_id(id)
local function wait(what, met)
  if not vim.wait(15000, met, 20) then error('no ' .. what) end
end
local function ask(method, params)
  local answer = client.request_sync(method, params, 15000, buffer)
  if not answer or answer.err then error(method .. ': ' .. vim.inspect(answer)) end
  return answer.result
end
local document = vim.lsp.util.make_text_document_params()
local function at(pattern, back)
  vim.fn.cursor(1, 1)
  vim.fn.search(pattern, 'cW')
  return vim.lsp.util.make_position_params()
end

wait('diagnostics', function() return diagnosed > 0 end)
seen.mistakes = vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(buffer))
local wrong = vim.lsp.util.make_given_range_params({ 1, 0 }, { vim.api.nvim_buf_line_count(buffer), 0 })
wrong.context = { diagnostics = {} }
local actions = ask('textDocument/codeAction', wrong)
seen.fix = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait('diagnostics of the fixed text', function() return diagnosed > 1 end)
seen.afterFix = #vim.diagnostic.get(buffer)
seen.hover = ask('textDocument/hover', at('post_send')).contents.value
local rename = at('S1')
rename.newName = 'ask'
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', rename), 'utf-16')
vim.lsp.util.apply_text_edits(ask('textDocument/formatting', { textDocument = document, options = { tabSize = 2, insertSpaces = true } }), buffer, 'utf-16')
seen.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
local lens = ask('textDocument/codeLens', { textDocument = document })[2].command
ask('workspace/executeCommand', { command = lens.command, arguments = lens.arguments })
seen.lens = ask('textDocument/codeLens', { textDocument = document })[2].command.title
client.stop()
wait('exit', function() return seen.exit ~= nil end)
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.IBL_ANSWERS)
vim.cmd('qall!')
