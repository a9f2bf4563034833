// Runs dynalite, an independent implementation of DynamoDB, on a free port. Says its URL, and ends with its standard input.

import dynalite from 'dynalite';

const server = dynalite({ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit(0)).resume();
