package dev.ligeiro.processor.intake;

import dev.ligeiro.processor.ProcessorApplication;
import dev.ligeiro.testing.brokers.TestBrokers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The service as it runs, on the test's brokers. Closing it stops it in good order. */
final class RunningProcessor implements AutoCloseable {

    static final String DATABASE = "processor_it";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final int port = freePort();
    private final ConfigurableApplicationContext context;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private RunningProcessor(Consumer<GenericApplicationContext> beans, List<String> settings) {
        this.context = new SpringApplicationBuilder(ProcessorApplication.class)
                .initializers((GenericApplicationContext context) -> beans.accept(context))
                .properties("spring.main.banner-mode=off")
                .run(arguments(settings));
    }

    static RunningProcessor start(String... settings) {
        return new RunningProcessor(context -> {}, Arrays.asList(settings));
    }

    /** With beans in place of, or beside, those of the service. */
    static RunningProcessor startWith(Consumer<GenericApplicationContext> beans, String... settings) {
        return new RunningProcessor(beans, Arrays.asList(settings));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    String get(String path) {
        return send(path).body();
    }

    boolean isReady() {
        return send("/actuator/health/readiness").statusCode() == 200;
    }

    boolean isAlive() {
        return send("/actuator/health/liveness").statusCode() == 200;
    }

    @Override
    public void close() {
        context.close();
    }

    private String[] arguments(List<String> settings) {
        List<String> defaults = List.of(
                "spring.mongodb.uri=" + TestBrokers.mongodbUri(DATABASE),
                "spring.kafka.bootstrap-servers=" + TestBrokers.kafkaBootstrapServers(),
                "management.server.port=" + port,
                "ligeiro.kafka.partitions=3",
                "ligeiro.mongodb.timeout=2s",
                "ligeiro.intake.retry-delay-max=1s");
        return Stream.concat(defaults.stream(), settings.stream())
                .map(setting -> "--" + setting)
                .toArray(String[]::new);
    }

    private HttpResponse<String> send(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                    .timeout(TIMEOUT)
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
