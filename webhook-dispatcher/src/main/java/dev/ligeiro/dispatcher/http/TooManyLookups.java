package dev.ligeiro.dispatcher.http;

import java.io.IOException;

/** No thread is free for the DNS lookup of an attempt. No request was sent. */
public final class TooManyLookups extends IOException {

    private static final long serialVersionUID = 1L;

    public TooManyLookups() {
        super("too many DNS lookups");
    }
}
