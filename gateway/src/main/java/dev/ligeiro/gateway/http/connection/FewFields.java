package dev.ligeiro.gateway.http.connection;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/**
 * The headers or trailers of a request, at most 100 fields. Netty limits only their bytes, without line ends: a head of 4,095 lines of one
 * character takes 390 kB of heap, and 600 connections that send no more than that would fill it.
 */
final class FewFields extends DefaultHttpHeaders {

    /** As in Tomcat. Clients and load balancers send about 20. */
    static final int MAX = 100;

    private FewFields(DefaultHttpHeadersFactory rules) {
        super(rules.getNameValidator(), rules.getValueValidator());
    }

    /**
     * @param rules for names and values
     * @param begun called with each new headers or trailers
     */
    static HttpHeadersFactory factory(DefaultHttpHeadersFactory rules, Runnable begun) {
        return new HttpHeadersFactory() {
            @Override
            public HttpHeaders newHeaders() {
                begun.run();
                return new FewFields(rules);
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return newHeaders();
            }
        };
    }

    /** Netty calls it for each field when the line after the field has come, so a head needs no end to be refused. */
    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        if (size() >= MAX) {
            throw new TooLongHttpHeaderException("fields: more than " + MAX);
        }
        return super.add(name, value);
    }
}
