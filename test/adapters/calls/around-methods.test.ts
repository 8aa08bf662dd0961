import { expect } from 'chai';
import {
  aroundMethods,
  outcomeOf,
  outcomeOfDelivery,
  whenEnded,
  withMethods,
} from '../../../adapters/calls/around-methods.ts';
import { traceHeaders, withTraceHeaders } from '../../../adapters/calls/trace-headers.ts';
import { unavailable } from '../../../core/errors.ts';

class Counter {
  #count = 0;
  readonly name = 'counter';
  async add(more: number): Promise<number> {
    this.#count += more;
    return this.#count;
  }
  get count() {
    return this.#count;
  }
}

describe('A part with something around its methods', () => {
  const calls: string[] = [];
  const watched = <T extends object>(part: T): T =>
    aroundMethods(part, (method, args, call) => {
      calls.push(`${method}(${args.join()})`);
      return call();
    });
  beforeEach(() => calls.splice(0));

  it('does what it did, as an object of a class, too', async () => {
    const counter = watched(new Counter());
    expect([await counter.add(2), await counter.add(3), counter.count, counter.name]).to.deep.equal([
      2,
      5,
      5,
      'counter',
    ]);
    expect(calls).to.deep.equal(['add(2)', 'add(3)']);
    expect(counter).to.be.instanceOf(Counter);
  });

  it('may be frozen, and may be taken apart', () => {
    const part = watched(Object.freeze({ double: (value: number) => value * 2, one: 1 }));
    const { double } = { ...part };
    expect([double(4), part.one]).to.deep.equal([8, 1]);
    expect(calls).to.deep.equal(['double(4)']);
  });

  it('may have methods replaced, the others running on the part itself', async () => {
    const counter = new Counter();
    const replaced = withMethods(counter, { add: (more) => counter.add(more * 10) });
    expect([await replaced.add(2), replaced.count, replaced.name]).to.deep.equal([20, 20, 'counter']);
    expect(counter.count).to.equal(20);
  });
});

describe('The end of a call', () => {
  const ended = (result: unknown) => new Promise((resolve) => whenEnded(result, resolve));

  it('is told when its promise has ended, or at once', async () => {
    expect(await ended(Promise.resolve(1))).to.deep.equal({ value: 1 });
    expect(await ended(Promise.reject(new Error('no')))).to.have.property('error');
    expect(await ended(2)).to.deep.equal({ value: 2 });
  });

  it('is a word of a small set', () => {
    expect(outcomeOf({ value: 1 })).to.equal('ok');
    expect(outcomeOf({ error: unavailable('store_unavailable', 'Down.') })).to.equal('unavailable');
    expect(outcomeOf({ error: new TypeError('a secret') })).to.equal('error');
    expect(outcomeOf({ value: { outcome: 'again' } }, outcomeOfDelivery)).to.equal('again');
    expect(outcomeOf({ value: undefined }, outcomeOfDelivery)).to.equal('ok');
  });
});

describe('Headers of a trace', () => {
  it('are those of the call that goes on, whatever runs beside it', async () => {
    const call = async (id: string) => {
      await Promise.resolve();
      return `${id}:${traceHeaders().traceparent}`;
    };
    const both = ['a', 'b'].map((id) => withTraceHeaders({ traceparent: id }, () => call(id)));
    expect(await Promise.all(both)).to.deep.equal(['a:a', 'b:b']);
    expect(traceHeaders()).to.deep.equal({});
  });
});
