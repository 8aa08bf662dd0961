import { script } from './scripts.ts';

const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Counts a call for each key, in their order; a key may come more than once. ARGV: the time in epoch milliseconds, or
 * nothing for Redis's own, and the length of each call's window in milliseconds. Gives for each call its place in its
 * window, from 1, and the milliseconds that are left of that. A window never ends later than its length from now, so
 * that a clock that is set back makes no endless one. The values are `<count>:<end>`.
 */
export const TAKE = script(`
  ${NOW}
  now = tonumber(ARGV[1]) or now
  local replies = {}
  for i, key in ipairs(KEYS) do
    local window = ARGV[i + 1]
    local count, ends = 0, now + window
    local found = redis.call('GET', key)
    if found then
      local counted, ending = found:match('^(%d+):(%d+)$')
      if ending and tonumber(ending) > now then
        count, ends = tonumber(counted), math.min(tonumber(ending), ends)
      end
    end
    redis.call('SET', key, string.format('%.0f:%.0f', count + 1, ends), 'PX', window)
    replies[2 * i - 1], replies[2 * i] = count + 1, ends - now
  end
  return replies
`);

/**
 * Says that the member ARGV[1] is alive, for ARGV[2] milliseconds, and how many are. KEYS[1]: a sorted set of members
 * by the time at which they said so last. Those that a clock set back left in the future go as well.
 */
export const BEAT = script(`
  ${NOW}
  local life = tonumber(ARGV[2])
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - life))
  redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now), '+inf')
  redis.call('PEXPIRE', KEYS[1], life)
  return redis.call('ZCARD', KEYS[1])
`);
