-- S011 of the example: two claims that nothing covers, the fix, its undo, and the jump to the source.

local session = dofile(vim.env.NUBOS_SESSION)

local SOURCE = 'app/Actions/ShareSegmentAction.php'

local function fill(line)
  line = line:gsub('(at="app/Actions/ShareSegmentAction%.php:)[%d-]+"', '%134"')
  return (line:gsub('behavior="[^"]*"', 'behavior="firstOrCreate: idempotent; a second share is a no-op"'))
end

local function no_errors()
  return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
end

session.run(function()
  session.open('.nubos-pilot/milestones/M001/slices/S011/S011-PLAN.md')
  local claims = { session.claim('Fully mirror'), session.claim('same pattern as') }
  session.expect('two uncovered claims', claims)

  local before = session.text()
  session.place_cursor('Fully mirror')
  session.act('pattern_ref')
  local fixed = session.text()
  local block = fixed:match('<pattern_refs>(.-)</pattern_refs>') or ''
  session.check('the block has a pattern_ref', block:find('<pattern_ref', 1, true) ~= nil, fixed)
  session.check('its symbol is filled', block:find('symbol="ShareSegmentAction["(:]') ~= nil, block)
  session.check('its at is filled', block:find('at="app/Actions/ShareSegmentAction%.php:%d+') ~= nil, block)

  vim.cmd('silent undo')
  session.check('one undo takes the fix back', session.text() == before, session.text())
  session.expect('both claims are back', claims)
  vim.cmd('silent redo')
  session.check('redo brings it again', session.text() == fixed, session.text())

  session.rewrite(fill)
  session.wait('with the skeleton filled no error is left', no_errors, session.findings)
  session.settle()
  session.check('and none comes after', no_errors(), session.findings())

  session.place_cursor('at="' .. SOURCE .. ':34"', #'at="app/Act')
  vim.lsp.buf.definition()
  session.wait('definition opens the source', function()
    return vim.endswith(vim.api.nvim_buf_get_name(0), '/' .. SOURCE)
  end, function()
    return vim.api.nvim_buf_get_name(0)
  end)
  session.check('at line 34', vim.api.nvim_win_get_cursor(0)[1] == 34, vim.api.nvim_win_get_cursor(0))
  session.check('which is the cited one', vim.api.nvim_get_current_line():find('firstOrCreate', 1, true) ~= nil)
end)
