package dev.ligeiro.dispatcher.http;

import dev.ligeiro.transaction.Tenant;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.entity.AsyncEntityProducers;
import org.apache.hc.core5.http.nio.support.AsyncRequestBuilder;
import org.apache.hc.core5.io.CloseMode;
import org.springframework.beans.factory.DisposableBean;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Posts webhooks to URLs chosen by merchants, which are not trusted. A POST is exactly one request: no redirects, retries, cookies
 * or proxy. It ends within the total timeout.
 */
public final class WebhookClient implements DisposableBean {

    /** HttpClient's own constant adds a charset parameter, which JSON does not have (RFC 8259 §11). */
    private static final ContentType JSON = ContentType.create("application/json");

    private final CloseableHttpAsyncClient http;
    private final Duration totalTimeout;
    private final long answerMax;

    WebhookClient(CloseableHttpAsyncClient http, WebhookProperties properties) {
        this.http = http;
        this.totalTimeout = properties.totalTimeout();
        this.answerMax = properties.answerMax().toBytes();
    }

    /**
     * Gives the result of the POST; failures are results, never error signals. Canceling closes the connection.
     *
     * @param tenant limits the tenant's concurrent DNS lookups
     */
    public Mono<PostResult> post(Tenant tenant, URI url, Map<String, String> headers, byte[] body) {
        return Mono.defer(() -> {
            ResponseConsumer consumer = new ResponseConsumer(answerMax);
            return Mono.<PostResult>create(sink -> send(request(url, headers, body), consumer, tenant, sink))
                    .timeout(totalTimeout)
                    .onErrorResume(failure -> {
                        PostResult response = consumer.response();
                        return Mono.just(response == null ? PostResult.noResponse(failure) : response);
                    });
        });
    }

    private static AsyncRequestProducer request(URI url, Map<String, String> headers, byte[] body) {
        AsyncRequestBuilder request = AsyncRequestBuilder.post(url);
        headers.forEach(request::addHeader);
        return request.setEntity(AsyncEntityProducers.create(body, JSON)).build();
    }

    private void send(
            AsyncRequestProducer request, ResponseConsumer consumer, Tenant tenant, MonoSink<PostResult> sink) {
        HttpClientContext context = HttpClientContext.create();
        OpenExchange open = OpenExchange.in(context, tenant);
        Future<PostResult> exchange = http.execute(request, consumer, null, context, new FutureCallback<>() {
            @Override
            public void completed(PostResult response) {
                sink.success(response);
            }

            @Override
            public void failed(Exception cause) {
                sink.error(cause);
            }

            @Override
            public void cancelled() {
                sink.error(new ConnectException("the client was closed"));
            }
        });
        sink.onCancel(() -> {
            exchange.cancel(true);
            open.close();
        });
    }

    @Override
    public void destroy() {
        http.close(CloseMode.GRACEFUL);
    }
}
