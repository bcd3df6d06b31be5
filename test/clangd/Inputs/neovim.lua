-- Runs inside headless neovim, over Inputs' copy of findings.cl: diagnostics, hover, a quick-fix, and a
-- rewrite's code action. Any failure ends it with exit code 1.
local function fail(text)
  io.stderr:write(text .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, condition)
  if not vim.wait(120000, condition, 20) then
    fail('no ' .. what .. ' within two minutes')
  end
end

local begin = vim.loop.hrtime()

local function ours()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    local code = d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code) or ''
    if tostring(code):find('^clmali%-') then
      found[tostring(code)] = d
    end
  end
  return found
end

local ok, problem = pcall(function()
  assert(vim.bo.filetype == 'opencl', 'the filetype is ' .. vim.bo.filetype)
  wait('finding', function() return next(ours()) ~= nil end)
  print(string.format('first diagnostics %.0f ms after the script began', (vim.loop.hrtime() - begin) / 1e6))
  local division, clamp = ours()['clmali-integer-division'], ours()['clmali-manual-clamp']
  assert(division and clamp, 'findings are missing')
  assert(division.source == 'clmali' and division.lnum == 4, vim.inspect(division))

  local function params(lnum, col)
    vim.api.nvim_win_set_cursor(0, { lnum + 1, col })
    return vim.lsp.util.make_range_params()
  end
  local function answer(method, p)
    for _, reply in pairs(vim.lsp.buf_request_sync(0, method, p, 120000) or {}) do
      return reply.result
    end
  end

  -- What K shows.
  params(division.lnum, division.col)
  local hover = answer('textDocument/hover', vim.lsp.util.make_position_params())
  assert(hover.contents.value:find('clmali%-integer%-division'), vim.inspect(hover))

  -- A quick-fix, applied as vim.lsp.buf.code_action applies it.
  local p = params(clamp.lnum, clamp.col)
  p.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0), only = { 'quickfix' } }
  local actions = answer('textDocument/codeAction', p) or {}
  local applied = false
  for _, action in ipairs(actions) do
    if action.edit then
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      applied = true
      break
    end
  end
  assert(applied, 'no quick-fix: ' .. vim.inspect(actions))
  local line = vim.fn.getline(clamp.lnum + 1)
  assert(line:find('w = min%(v, 255%);'), line)
  wait('end of the finding', function() return ours()['clmali-manual-clamp'] == nil end)

  -- Rewrites are offered on the kernel's name, and a command's edit arrives.
  p = params(1, 16)
  p.context = { diagnostics = {}, only = { 'refactor.rewrite' } }
  local chosen
  for _, action in ipairs(answer('textDocument/codeAction', p) or {}) do
    chosen = chosen or action
  end
  assert(chosen and chosen.title:find("^Rewrite 'scale' for "), vim.inspect(chosen))
  answer('workspace/executeCommand', chosen.command)
  wait('edit', function()
    return table.concat(vim.fn.getline(1, '$'), '\n'):find('// rewritten', 1, true) ~= nil
  end)
end)
if not ok then
  fail(tostring(problem))
end
print('neovim: as it should be')
vim.cmd('qall!')
