/**
 * The connections of the server: how many there are, how long a client may take to send a request or to read a response, and the problems
 * of requests that no route gets to see.
 */
@NullMarked
package dev.ligeiro.gateway.http.connection;

import org.jspecify.annotations.NullMarked;
