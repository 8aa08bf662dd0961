import { expect } from 'chai';
import { resolvePorts } from '../../../adapters/compose/container.ts';

interface Ports {
  readonly clock: { now(): number };
  readonly digest: { readonly name: string };
}

describe('The container', () => {
  const clock = { now: () => 1 };
  const resolve = (overrides: Partial<Ports> = {}) => {
    let factoryCalls = 0;
    const ports = resolvePorts<Ports>(
      {
        clock: { useValue: clock },
        digest: {
          useFactory: () => {
            factoryCalls += 1;
            return { name: 'ours' };
          },
        },
      },
      overrides,
    );
    return { ports, countFactoryCalls: () => factoryCalls };
  };

  it('resolves each port to its registered value, or to the only result of its factory', () => {
    const { ports, countFactoryCalls } = resolve();
    expect(ports.clock).to.equal(clock);
    expect(ports.digest).to.equal(ports.digest);
    expect({ ...ports }).to.deep.equal({ clock, digest: { name: 'ours' } });
    expect(countFactoryCalls()).to.equal(1);
  });

  it('prefers an override to the registration, and does not call the factory', () => {
    const digest = { name: 'of the app' };
    const { ports, countFactoryCalls } = resolve({ digest });
    expect(ports).to.deep.equal({ clock, digest });
    expect(countFactoryCalls()).to.equal(0);
  });

  it('creates separate ports for each product', () => {
    expect(resolve().ports.digest).not.to.equal(resolve().ports.digest);
  });
});
