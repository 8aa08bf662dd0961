import type { Client } from './request.ts';

/** A string literal of Lua. A JSON string in ASCII is one. */
const lua = (text: string): string => JSON.stringify(text);

/** A script that makes wrk send the requests in turn. They are formatted before the run, so that they cost no more than paths. */
export const scriptOf = (clients: readonly Client[]): string => {
  const asks = clients.map(({ method, path, body = '' }) => [method, path, body].map(lua).join(', '));
  return `
local asks = { ${asks.map((ask) => `{ ${ask} }`).join(',\n')} }
local made, place = {}, 0
function init()
  for number, ask in ipairs(asks) do
    if ask[3] == "" then made[number] = wrk.format(ask[1], ask[2])
    else made[number] = wrk.format(ask[1], ask[2], { ["Content-Type"] = "application/json" }, ask[3]) end
  end
end
function request()
  place = place % #made + 1
  return made[place]
end
`;
};
