package dev.ligeiro.dispatcher.http;

import java.net.UnknownHostException;

/**
 * Thrown for a host without an allowed address. It is an {@link UnknownHostException}, the
 * only exception of a DNS resolver that the client's connector handles.
 */
final class RefusedAddressException extends UnknownHostException {

    private static final long serialVersionUID = 1L;

    RefusedAddressException() {
        super("every address of the host is refused");
    }
}
