package dev.ligeiro.gateway.mongo;

import com.mongodb.reactivestreams.client.MongoClient;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Closes the client while its event loops still run: they are the HTTP server's too, and Spring ends them (phase 0) before it
 * destroys beans. A client closed later would log a failed connection per server and monitor.
 */
@Component
class MongoClientShutdown implements SmartLifecycle {

    /** After the requests (phases near the maximum) and the sweeper, before the loops. */
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
