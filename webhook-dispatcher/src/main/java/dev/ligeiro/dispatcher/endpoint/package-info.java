/** The webhook endpoints of merchants, which the gateway keeps: {@code intake} and {@code schedule} read them here. */
@NullMarked
package dev.ligeiro.dispatcher.endpoint;

import org.jspecify.annotations.NullMarked;
