package dev.ligeiro.support.mongo;

import com.mongodb.reactivestreams.client.MongoClient;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the client while its event loops still run. The gateway's client uses the event loops of the HTTP server, which Spring
 * stops in phase 0, before it destroys the client's bean. A client that is closed after its event loops logs failed connections.
 */
public final class MongoClientShutdown implements SmartLifecycle {

    /** Stops after web server, listeners and workers (higher phases), and before the event loops. */
    private static final int PHASE = 1;

    private final MongoClient client;
    private volatile boolean running;

    public MongoClientShutdown(MongoClient client) {
        this.client = client;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        client.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
