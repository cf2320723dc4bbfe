/**
 * What one merchant may take from the others, and reads from creates: the rate of a merchant's requests, the number of long reads that run
 * at once, and the rests between the queries of lists. The API keys' room, the controllers of reads and the stores of lists call in.
 */
@NullMarked
package dev.ligeiro.gateway.http.limit;

import org.jspecify.annotations.NullMarked;
