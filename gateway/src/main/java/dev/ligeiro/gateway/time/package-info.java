/** Time that passes, as opposed to the time of day. The limits of requests and the checkout's streams count with it. */
@NullMarked
package dev.ligeiro.gateway.time;

import org.jspecify.annotations.NullMarked;
