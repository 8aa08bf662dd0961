import { createHash } from 'node:crypto';

/** A script that Redis runs as one step. */
export interface Script {
  readonly source: string;
  /** The SHA-1 by which Redis identifies the script. */
  readonly digest: string;
}

export const script = (source: string): Script => ({
  source,
  digest: createHash('sha1').update(source).digest('hex'),
});

/**
 * A tombstone stands at the key of a removed entry, so that a slow process cannot set the old entry again. Its text is this
 * character and the id of the change that removed the entry, if one did. Other values begin with the digits of a generation.
 */
export const TOMBSTONE = '-';

// The cache is emptied at once by a rise of its generation: an entry is live if it begins with the current generation. `head`
// in PUT, and ARGV[1] in FORGET, CLEAR and COUNT, is that beginning. Other entries are stale, and replaced like missing ones.

/**
 * Sets entries unless a key has a live entry or a tombstone. ARGV: the beginning of live entries, the life in seconds, 1 to
 * extend the life of existing entries, the latest time of the server in milliseconds, and the values in the order of the keys.
 * Returns how many keys have a live entry now, or -1 if the call came too late: a tombstone that would have rejected a value may
 * have expired.
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

/** Deletes entries that begin with ARGV[1], and returns their number. */
export const FORGET = script(`
  local dropped = 0
  for _, key in ipairs(KEYS) do
    if redis.call('GETRANGE', key, 0, #ARGV[1] - 1) == ARGV[1] then
      dropped = dropped + redis.call('DEL', key)
    end
  end
  return dropped
`);

/** Sets tombstones. ARGV: their life in seconds (a tombstone that would live longer keeps its time); and their text. */
export const REMOVE = script(`
  local life, tombstone = tonumber(ARGV[1]), ARGV[2]
  for i, key in ipairs(KEYS) do
    local found = redis.call('GETRANGE', key, 0, 0)
    local left = found == '${TOMBSTONE}' and redis.call('PTTL', key) or 0
    if left < life * 1000 or redis.call('GET', key) ~= tombstone then
      local reply = redis.pcall('SET', key, tombstone, 'PX', math.max(left, life * 1000))
      if reply.err then
        -- No room for tombstones: deleted entries make room for the next attempt.
        for j = i, #KEYS do
          if redis.call('GETRANGE', KEYS[j], 0, 0) ~= '${TOMBSTONE}' then redis.call('DEL', KEYS[j]) end
        end
        return reply
      end
    end
  end
  return #KEYS
`);

/** Sets a value in place of each tombstone whose text is ARGV[1]. ARGV: the text, the life of values in seconds, the values. */
export const RENEW = script(`
  for i, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('SET', key, ARGV[i + 2], 'EX', ARGV[2]) end
  end
  return #KEYS
`);

/** Deletes all keys but those of tombstones, and returns how many of the deleted values began with ARGV[1]. */
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

/** Counts the values that begin with ARGV[1], and their bytes behind it plus the bytes of their keys. */
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
