/**
 * A program that opens connections to a server, sends requests on them and reads no response. It replaces a closed
 * connection after a second. Arguments: the port, the number of connections of each address, the addresses separated by
 * commas, `flood` (send for as long as the server reads) or `once`, the text, and a head to send once before the text.
 */
import { connect } from 'node:net';

const [port = '', count = '', addresses = '', mode = '', text = '', head = ''] = process.argv.slice(2);
const bytes = Buffer.from(mode === 'flood' ? text.repeat(2_000) : text);

const attack = (localAddress: string): void => {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  // A paused socket reads nothing.
  socket.pause();
  if (head !== '') socket.write(head);
  const send = () => {
    while (socket.writable && socket.write(bytes) && mode === 'flood');
  };
  socket.on('error', () => undefined);
  socket.once('connect', send);
  if (mode === 'flood') socket.on('drain', send);
  socket.once('close', () => setTimeout(attack, 1_000, localAddress));
};

for (const address of addresses.split(',')) {
  for (let opened = 0; opened < Number(count); opened += 1) attack(address);
}
process.once('disconnect', () => process.exit());
process.send?.('attacking');
