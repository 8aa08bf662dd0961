import { expect } from 'chai';
import { quietLog } from '../../../adapters/log/quiet-log.ts';
import { unavailable } from '../../../core/errors.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

describe('The log during an outage', () => {
  const { advance } = useFakeTime();
  const makeLog = () => {
    const recording = makeRecordingLog();
    return {
      log: quietLog(recording),
      events: () => recording.lines.splice(0).map(({ event }) => event),
    };
  };
  const storeIsDown = () => unavailable('store_unavailable', 'It is down.');

  it('contains one line a second about a full disk, whatever reports it', () => {
    const { log, events } = makeLog();
    for (let tenth = 0; tenth < 30; tenth += 1) {
      log.warn('store.write_failed', { reason: 'SQLITE_FULL', count: 1 });
      log.warn('background.failed', { id: 'mail', error: storeIsDown() });
      log.error('relay.failed', { userId: 'a', error: storeIsDown() });
      advance(100);
    }
    expect(events()).to.deep.equal(['store.write_failed', 'store.write_failed', 'store.write_failed']);
  });

  it('contains one line for each dependency', () => {
    const { log, events } = makeLog();
    for (const code of ['redis_unavailable', 'store_unavailable', 'redis_unavailable'] as const) {
      log.warn(`by.${code}`, { error: unavailable(code, 'It is down.') });
    }
    log.warn('cache.removal_owed', { count: 1 });
    log.warn('cache.removal_owed', { count: 2 });
    expect(events()).to.deep.equal(['by.redis_unavailable', 'by.store_unavailable', 'cache.removal_owed']);
  });

  it('omits later effects of a lost Redis for a second, but never the line for alerts', () => {
    const { log, events } = makeLog();
    log.warn('cache.failed', { reason: 'lost' });
    log.warn('limiter.failed', { reason: 'lost' });
    log.warn('cache.removal_owed', { count: 1 });
    log.warn('dependency.down', { id: 'cache' });
    advance(999);
    log.warn('cache.removal_owed', { count: 1 });
    advance(1);
    log.warn('cache.removal_owed', { count: 1 });
    expect(events()).to.deep.equal([
      'cache.failed',
      'limiter.failed',
      'dependency.down',
      'cache.removal_owed',
    ]);
  });

  it('contains every line about other failures', () => {
    const { log, events } = makeLog();
    for (const _ of [1, 2]) {
      log.warn('session.stolen', { userId: 'a' });
      log.error('http.failed', { error: new Error('a defect') });
      log.error('store.writer_crashed', { error: new Error('a defect') });
      log.warn('background.failed', { id: 'mail', error: unavailable('busy', 'Full.') });
      log.info('mail.postponed', { id: 'a' });
    }
    const all = [
      'session.stolen',
      'http.failed',
      'store.writer_crashed',
      'background.failed',
      'mail.postponed',
    ];
    expect(events()).to.deep.equal([...all, ...all]);
  });
});
