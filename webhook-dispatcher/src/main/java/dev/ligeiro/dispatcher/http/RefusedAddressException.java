package dev.ligeiro.dispatcher.http;

import java.net.UnknownHostException;

/** A host none of whose addresses may be connected to. Its type is the one failure that the client's connector takes from DNS. */
final class RefusedAddressException extends UnknownHostException {

    private static final long serialVersionUID = 1L;

    RefusedAddressException() {
        super("every address of the host is refused");
    }
}
