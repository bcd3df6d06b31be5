-- clmali-clangd in neovim 0.7 and later, without a plugin: copy this to ~/.config/nvim/plugin/, or
-- `:luafile` it from init.lua. A GPU family is set in .clang-tidy (CheckOptions: {Device: mali-valhall})
-- or here, as { 'clmali-clangd', '--clmali-device=mali-valhall' }.
local command = { 'clmali-clangd' }

local function start(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local root = name ~= '' and vim.fn.fnamemodify(name, ':h') or vim.fn.getcwd()
  -- The nearest folder with a project file.
  for _, mark in ipairs({ '.clangd', '.clang-tidy', 'compile_commands.json', '.git' }) do
    local found = vim.fn.findfile(mark, root .. ';')
    if found == '' then
      found = vim.fn.finddir(mark, root .. ';')
    end
    if found ~= '' then
      root = vim.fn.fnamemodify(found, ':p:h')
      root = mark == '.git' and vim.fn.fnamemodify(root, ':h') or root
      break
    end
  end
  local config = { name = 'clmali-clangd', cmd = command, root_dir = root }
  if vim.lsp.start then -- 0.8
    vim.lsp.start(config)
    return
  end
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == config.name and client.config.root_dir == root then
      vim.lsp.buf_attach_client(buffer, client.id)
      return
    end
  end
  vim.lsp.buf_attach_client(buffer, vim.lsp.start_client(config))
end

local group = vim.api.nvim_create_augroup('clmali', {})

-- By default neovim treats .cl files as Lisp.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  group = group,
  pattern = { '*.cl', '*.ocl', '*.clh' },
  callback = function(event)
    vim.bo[event.buf].filetype = 'opencl'
    vim.bo[event.buf].syntax = 'c'
    vim.bo[event.buf].commentstring = '// %s'
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'opencl', 'c', 'cpp' },
  callback = function(event)
    start(event.buf)
    local function map(keys, action)
      vim.keymap.set('n', keys, action, { buffer = event.buf })
    end
    map('K', vim.lsp.buf.hover) -- on a finding: its rule's page
    map('gra', vim.lsp.buf.code_action) -- quick-fixes; on a kernel's head: rewrites
    map('[d', vim.diagnostic.goto_prev)
    map(']d', vim.diagnostic.goto_next)
  end,
})
