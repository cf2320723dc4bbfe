package dev.ligeiro.gateway.http.html;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Ends the event streams of open pages when the gateway stops, before the HTTP server does: it would wait for them. */
@Component
public final class OpenStreams implements SmartLifecycle {

    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private volatile boolean running;

    /** The stream until the gateway stops; it ends at once if the gateway has stopped. */
    public <T> Flux<T> untilStop(Flux<T> stream) {
        return stream.takeUntilOther(stopped.asMono());
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        stopped.tryEmitEmpty();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
