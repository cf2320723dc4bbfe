package dev.ligeiro.gateway.store;

import com.mongodb.reactivestreams.client.MongoClient;
import java.time.Clock;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A database with the gateway's collections, without a gateway. */
public final class TestLongReads {

    private TestLongReads() {}

    /** Creates the collections first. */
    public static LongReads over(MongoClient client, String database) {
        LongReads reads = of(client, database);
        CollectionSetup setup = new CollectionSetup(reads.database(), Clock.systemUTC());
        setup.start();
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(setup::isDone);
        setup.stop();
        return reads;
    }

    public static LongReads of(MongoClient client, String database) {
        return new LongReads(client, database, LongReads.threads());
    }
}
