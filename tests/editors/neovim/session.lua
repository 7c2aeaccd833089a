-- One session of a person in Neovim: opens a plan with nubos-lsp attached, waits for conditions, and reports each
-- check as a line `ok …` or `FAIL …`. The environment says which server to start (NUBOS_SERVER, a JSON list).

local Session = {}

local PATIENCE = 30000
local failures = 0
local answers = 0

local function counting(method)
  return function(...)
    answers = answers + 1
    return vim.lsp.handlers[method](...)
  end
end

vim.lsp.config('nubos', {
  cmd = vim.json.decode(vim.env.NUBOS_SERVER),
  filetypes = { 'markdown' },
  root_markers = { '.nubos-pilot' },
  handlers = {
    ['textDocument/publishDiagnostics'] = counting('textDocument/publishDiagnostics'),
    ['textDocument/diagnostic'] = counting('textDocument/diagnostic'),
  },
})
vim.lsp.enable('nubos')

--- Reports a check. Details are shown when it failed.
function Session.check(name, passed, details)
  failures = failures + (passed and 0 or 1)
  io.stdout:write(passed and 'ok   ' or 'FAIL ', name, '\n')
  if not passed and details ~= nil then
    io.stdout:write(vim.inspect(details), '\n')
  end
end

--- Waits for a condition, half a minute at most, and reports whether it came true.
function Session.wait(name, condition, details)
  Session.check(name, vim.wait(PATIENCE, condition, 20), details and details())
end

--- Opens a file of the workspace and waits until the server has judged it.
function Session.open(path)
  local before = answers
  vim.cmd.edit(vim.fn.fnameescape(path))
  Session.wait('the server judges ' .. vim.fs.basename(path), function()
    return answers > before
  end, Session.findings)
end

--- Returns what is shown in the buffer, in the order of the text, as short values to compare.
function Session.findings()
  local findings = vim.diagnostic.get(0)
  table.sort(findings, function(one, other)
    return one.lnum < other.lnum or one.lnum == other.lnum and one.col < other.col
  end)
  return vim.tbl_map(function(finding)
    local line = vim.api.nvim_buf_get_lines(0, finding.lnum, finding.lnum + 1, true)[1]
    return {
      line = finding.lnum + 1,
      column = finding.col,
      text = line:sub(finding.col + 1, finding.end_lnum == finding.lnum and finding.end_col or -1),
      code = finding.code,
      source = finding.source,
      severity = vim.diagnostic.severity[finding.severity],
    }
  end, findings)
end

--- Waits until exactly the expected findings are shown, and makes sure that none comes a second time.
function Session.expect(name, expected)
  Session.wait(name, function()
    return vim.deep_equal(Session.findings(), expected)
  end, Session.findings)
  Session.settle()
  Session.check(name .. ', each once', vim.deep_equal(Session.findings(), expected), Session.findings())
end

--- Waits for an answer to a request: whatever the server sent before has arrived then.
function Session.settle()
  local parameters = vim.lsp.util.make_position_params(0, 'utf-16')
  vim.lsp.buf_request_sync(0, 'textDocument/definition', parameters, PATIENCE)
end

--- Returns the finding that is expected for an uncovered claim: it covers the phrase where it stands first.
function Session.claim(phrase)
  local line, column = Session.place(phrase)
  return {
    line = line,
    column = column,
    text = phrase,
    code = 'pattern-claim-unverified',
    source = 'nubos',
    severity = 'ERROR',
  }
end

--- Puts the cursor on the place where a plain text begins, or some bytes behind it.
function Session.place_cursor(text, offset)
  local line, column = Session.place(text)
  vim.api.nvim_win_set_cursor(0, { line, column + (offset or 0) })
end

--- Returns where a plain text stands first: the line from 1, the column in bytes from 0.
function Session.place(text)
  for number, line in ipairs(Session.lines()) do
    local column = line:find(text, 1, true)
    if column then
      return number, column - 1
    end
  end
  error('the plan does not have: ' .. text)
end

--- Returns the buffer's lines.
function Session.lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, true)
end

--- Returns the buffer's text with LF between the lines.
function Session.text()
  return table.concat(Session.lines(), '\n')
end

--- Replaces every line by what the function makes of it, as a change of its own for undo.
function Session.rewrite(change)
  Session.break_undo()
  for number, line in ipairs(Session.lines()) do
    local changed = change(line)
    if changed ~= line then
      vim.api.nvim_buf_set_lines(0, number - 1, number, true, { changed })
    end
  end
  Session.break_undo()
end

--- Ends the current undo step, as going back to a prompt does for a person.
function Session.break_undo()
  vim.bo.undolevels = vim.bo.undolevels
end

--- Applies the first code action at the cursor with a word in its title and waits for the text to change.
function Session.act(word)
  local before, taken = Session.text(), nil
  Session.break_undo()
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      local wanted = taken == nil and action.title:find(word, 1, true) ~= nil
      taken = taken or wanted and action.title or nil
      return wanted
    end,
  })
  Session.wait('the action about ' .. word .. ' changes the text', function()
    return Session.text() ~= before
  end, function()
    return taken or 'no such action was offered'
  end)
  Session.break_undo()
end

--- Leaves Neovim; the exit code tells whether all checks passed.
function Session.leave()
  vim.cmd(failures == 0 and 'qall!' or 'cquit!')
end

--- Runs the checks; an error in them is a failed check.
function Session.run(checks)
  local passed, problem = xpcall(checks, debug.traceback)
  if not passed then
    Session.check('the checks run to their end', false, problem)
  end
  Session.leave()
end

return Session
