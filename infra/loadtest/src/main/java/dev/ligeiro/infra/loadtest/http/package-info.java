/**
 * HTTP/1.1 messages read with as little work as a load test can afford. Pure: called by the generator and the receiver.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.http;

import org.jspecify.annotations.NullMarked;
