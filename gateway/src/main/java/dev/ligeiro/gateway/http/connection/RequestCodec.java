package dev.ligeiro.gateway.http.connection;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import reactor.netty.http.server.HttpRequestDecoderSpec;
import reactor.netty.http.server.HttpServerConfig;

/** Makes the HTTP codecs of connections. They have the server's limits, and {@link FewFields}, for which the server has no setting. */
final class RequestCodec {

    /**
     * Requests of a connection that may be without a response; with one more, the connection is closed after the running response
     * ({@link TooManyAhead}). Few clients send any request ahead. A decoded head takes 10 kB of heap, so Netty's default of 128 keeps up to
     * 1.2 MB for each connection.
     */
    static final int PIPELINED_MAX = 4;

    private final HttpDecoderConfig decoder;

    RequestCodec(HttpServerConfig server) {
        HttpRequestDecoderSpec limits = server.decoder();
        this.decoder = new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.maxInitialLineLength())
                .setMaxHeaderSize(limits.maxHeaderSize())
                .setInitialBufferSize(limits.initialBufferSize())
                .setAllowDuplicateContentLengths(limits.allowDuplicateContentLengths())
                .setAllowPartialChunks(limits.allowPartialChunks());
    }

    /** @param begun called when a head's request line or the first trailer has been read */
    HttpServerCodec ofConnection(Runnable begun) {
        HttpDecoderConfig ofConnection = decoder.clone()
                .setHeadersFactory(FewFields.factory(DefaultHttpHeadersFactory.headersFactory(), begun))
                .setTrailersFactory(FewFields.factory(DefaultHttpHeadersFactory.trailersFactory(), begun));
        return new HttpServerCodec(ofConnection, PIPELINED_MAX);
    }
}
