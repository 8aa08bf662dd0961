import { createHash } from 'node:crypto';

/** A script that Redis runs as one step. */
export interface Script {
  readonly source: string;
  /** Redis's name for it. */
  readonly digest: string;
}

export const script = (source: string): Script => ({
  source,
  digest: createHash('sha1').update(source).digest('hex'),
});

/** What stands in the place of an entry that was removed, before its mark. Entries begin with the digits of their epoch. */
export const TOMBSTONE = '-';

// ARGV[1]: what an entry of this epoch begins with.

/**
 * Sets entries whose place is free. ARGV: their beginning, the life in seconds, 1 when those that are there live on
 * for it, the time of the server in milliseconds from which on nothing is set, and the values in the order of the
 * keys. Gives how many are there now, or -1 when it came too late.
 */
export const PUT = script(`
  local time = redis.call('TIME')
  if time[1] * 1000 + time[2] / 1000 >= tonumber(ARGV[4]) then return -1 end
  local head, life, extend = ARGV[1], ARGV[2], ARGV[3] == '1'
  local there = 0
  for i, key in ipairs(KEYS) do
    local value = ARGV[i + 4]
    if redis.call('SET', key, value, 'NX', 'EX', life) then
      there = there + 1
    else
      local found = redis.call('GETRANGE', key, 0, #head - 1)
      if found == head then
        there = there + 1
        if extend and redis.call('PTTL', key) < life * 1000 then redis.call('EXPIRE', key, life) end
      elseif found:sub(1, 1) ~= '${TOMBSTONE}' then
        redis.call('SET', key, value, 'EX', life)
        there = there + 1
      end
    end
  end
  return there
`);

/** Drops entries that begin with ARGV[1], and says how many. */
export const FORGET = script(`
  local dropped = 0
  for _, key in ipairs(KEYS) do
    if redis.call('GETRANGE', key, 0, #ARGV[1] - 1) == ARGV[1] then
      dropped = dropped + redis.call('DEL', key)
    end
  end
  return dropped
`);

/** Puts tombstones in the place of whatever is there. ARGV: their life in seconds, unless one lives longer; and their text. */
export const REMOVE = script(`
  local life, tombstone = tonumber(ARGV[1]), ARGV[2]
  for i, key in ipairs(KEYS) do
    local found = redis.call('GETRANGE', key, 0, 0)
    local left = found == '${TOMBSTONE}' and redis.call('PTTL', key) or 0
    if left < life * 1000 or redis.call('GET', key) ~= tombstone then
      local reply = redis.pcall('SET', key, tombstone, 'PX', math.max(left, life * 1000))
      if reply.err then
        -- No room for tombstones: what lies there makes some, for when this is tried again.
        for j = i, #KEYS do
          if redis.call('GETRANGE', KEYS[j], 0, 0) ~= '${TOMBSTONE}' then redis.call('DEL', KEYS[j]) end
        end
        return reply
      end
    end
  end
  return #KEYS
`);

/** Sets values in the place of tombstones whose text is ARGV[1]. ARGV: that, their life in seconds, the values. */
export const RENEW = script(`
  for i, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('SET', key, ARGV[i + 2], 'EX', ARGV[2]) end
  end
  return #KEYS
`);

/** Drops all but tombstones, and says how many of them begin with ARGV[1]. */
export const CLEAR = script(`
  local dropped = 0
  for _, key in ipairs(KEYS) do
    local found = redis.call('GETRANGE', key, 0, #ARGV[1] - 1)
    if found:sub(1, 1) ~= '${TOMBSTONE}' then
      local gone = redis.call('UNLINK', key)
      if found == ARGV[1] then dropped = dropped + gone end
    end
  end
  return dropped
`);

/** How many values begin with ARGV[1], and their bytes behind it with those of the keys. */
export const COUNT = script(`
  local entries, bytes = 0, 0
  for _, key in ipairs(KEYS) do
    if redis.call('GETRANGE', key, 0, #ARGV[1] - 1) == ARGV[1] then
      entries = entries + 1
      bytes = bytes + #key + redis.call('STRLEN', key) - #ARGV[1]
    end
  end
  return { entries, bytes }
`);
