/** The connections of the public port: how many there are, and how long a client may take to send a request or to read a response. */
@NullMarked
package dev.ligeiro.gateway.connection;

import org.jspecify.annotations.NullMarked;
