-- S012 and S010 of the example: verified claims and no claims; a person sees neither error nor warning.

local session = dofile(vim.env.NUBOS_SESSION)

local function serious()
  return vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } })
end

session.run(function()
  for _, slice in ipairs({ 'S012', 'S010' }) do
    session.open(('.nubos-pilot/milestones/M001/slices/%s/%s-PLAN.md'):format(slice, slice))
    session.settle()
    session.check(slice .. ' is clean', #serious() == 0, session.findings())
  end
end)
