import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { makeFairTurns, noteConnection } from '../../../servers/http/fair-turns.ts';

describe('Fair turns of the event loop', () => {
  it('run at most the given number of jobs each', async () => {
    const turns = makeFairTurns(3);
    let count = 0;
    for (let sent = 0; sent < 10; sent += 1) turns.run('ada', () => (count += 1));
    const counts = [count];
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await turn();
      counts.push(count);
    }
    expect(counts).to.deep.equal([3, 6, 9, 10, 10]);
  });

  it('run one job of each client in rotation', async () => {
    const turns = makeFairTurns(100);
    const order: string[] = [];
    for (const client of ['ada', 'ada', 'ada', 'ada', 'bob', 'eve', 'eve'])
      turns.wait(client, () => order.push(client));
    await turn();
    expect(order).to.deep.equal(['ada', 'bob', 'eve', 'ada', 'eve', 'ada', 'ada']);
  });

  it('have room for a new job only while no job waits', async () => {
    const turns = makeFairTurns(2);
    expect([turns.take(), turns.take(), turns.take()]).to.deep.equal([true, true, false]);
    await turn();
    turns.wait('ada', () => undefined);
    expect(turns.take()).to.equal(false);
    await turn();
    expect([turns.take(), turns.take()]).to.deep.equal([true, false]);
  });

  it('run jobs that other jobs start', async () => {
    const turns = makeFairTurns(1);
    const order: number[] = [];
    const begin = (number: number) =>
      turns.run('ada', () => {
        order.push(number);
        if (number < 5) begin(number + 1);
      });
    begin(1);
    for (let rounds = 0; rounds < 5; rounds += 1) await turn();
    expect(order).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('run one job each while connections arrive, so that all are accepted soon', async () => {
    const turns = makeFairTurns(10);
    let count = 0;
    noteConnection();
    for (let sent = 0; sent < 30; sent += 1) turns.run('ada', () => (count += 1));
    const counts = [count];
    for (let rounds = 1; rounds < 5; rounds += 1) {
      if (rounds === 1) noteConnection();
      await turn();
      counts.push(count);
    }
    expect(counts).to.deep.equal([1, 2, 3, 13, 23]);
  });
});
