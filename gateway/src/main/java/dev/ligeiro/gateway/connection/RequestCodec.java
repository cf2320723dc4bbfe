package dev.ligeiro.gateway.connection;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import reactor.netty.http.server.HttpRequestDecoderSpec;
import reactor.netty.http.server.HttpServerConfig;

/** Makes the HTTP codecs of connections. They have the server's limits, and {@link FewFields}, for which the server has no setting. */
final class RequestCodec {

    private final HttpDecoderConfig decoder;
    private final int pipelineDepthMax;

    RequestCodec(HttpServerConfig server) {
        HttpRequestDecoderSpec limits = server.decoder();
        this.decoder = new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.maxInitialLineLength())
                .setMaxHeaderSize(limits.maxHeaderSize())
                .setInitialBufferSize(limits.initialBufferSize())
                .setAllowDuplicateContentLengths(limits.allowDuplicateContentLengths())
                .setAllowPartialChunks(limits.allowPartialChunks())
                .setHeadersFactory(FewFields.factory(DefaultHttpHeadersFactory.headersFactory()))
                .setTrailersFactory(FewFields.factory(DefaultHttpHeadersFactory.trailersFactory()));
        this.pipelineDepthMax = server.maxPipelineDepth();
    }

    HttpServerCodec ofConnection() {
        return new HttpServerCodec(decoder, pipelineDepthMax);
    }
}
