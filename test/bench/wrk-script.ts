import type { Client } from './request.ts';

/** A text of Lua: JSON's is, as long as it is ASCII. */
const lua = (text: string): string => JSON.stringify(text);

/** Has wrk ask for one thing after the other: made before it begins, so that it costs what a plain path does. */
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
