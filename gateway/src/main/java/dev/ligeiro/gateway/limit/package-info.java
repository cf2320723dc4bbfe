/**
 * What one merchant may take from the others: the rate of its requests, and the number of its long reads that run at once. The API keys'
 * room and the controllers of reads call in.
 */
@NullMarked
package dev.ligeiro.gateway.limit;

import org.jspecify.annotations.NullMarked;
