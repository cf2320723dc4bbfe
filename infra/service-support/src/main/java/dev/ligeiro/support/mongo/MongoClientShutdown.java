package dev.ligeiro.support.mongo;

import com.mongodb.reactivestreams.client.MongoClient;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the client while its event loops still run. In the gateway they are the HTTP server's, and Spring stops those (phase 0)
 * before it destroys the client's bean. A client closed after its loops logs one failed connection per server and monitor.
 */
final class MongoClientShutdown implements SmartLifecycle {

    /** Stops after web server, listeners and workers (higher phases), and before the event loops. */
    private static final int PHASE = 1;

    private final MongoClient client;
    private volatile boolean running;

    MongoClientShutdown(MongoClient client) {
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
