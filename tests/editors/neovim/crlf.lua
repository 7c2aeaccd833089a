-- S011 saved with CRLF: the fix keeps the line ends, and the saved plan has no other ones.

local session = dofile(vim.env.NUBOS_SESSION)

session.run(function()
  session.open('.nubos-pilot/milestones/M001/slices/S011/S011-PLAN.md')
  session.check('Neovim sees CRLF', vim.bo.fileformat == 'dos', vim.bo.fileformat)
  session.wait('two uncovered claims', function()
    return #vim.diagnostic.get(0) == 2
  end, session.findings)
  session.place_cursor('Fully mirror')
  session.act('pattern_ref')
  session.wait('no claim is left', function()
    return vim.iter(session.findings()):all(function(finding)
      return finding.text ~= 'Fully mirror' and finding.text ~= 'same pattern as'
    end)
  end, session.findings)
  session.check('no line holds a carriage return', session.text():find('\r', 1, true) == nil, session.lines())
  vim.cmd('silent write')
end)
