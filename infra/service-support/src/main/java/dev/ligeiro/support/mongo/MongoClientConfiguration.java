package dev.ligeiro.support.mongo;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.connection.TransportSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.bson.UuidRepresentation;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoProperties;
import org.springframework.boot.mongodb.autoconfigure.StandardMongoClientSettingsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * The MongoDB client of a service, and MongoDB's clock. Spring Boot builds the client in three steps, each of which overrides the one
 * before: the event loops and time-outs of this service, the operator's {@code spring.mongodb.uri} and {@code spring.mongodb.ssl}, and the
 * guarantees that no setting can weaken.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MongoClientProperties.class)
@Import({MongoClientShutdown.class, LeaseStore.class})
public class MongoClientConfiguration {

    private static final String DEFAULT_DATABASE = "ligeiro";

    /**
     * One thread for all connections, if the service has no other event loops for them. It is enough for a service that reads and writes
     * whole batches, because only a few operations run at a time.
     */
    @Bean(destroyMethod = "shutdownGracefully")
    @Fallback
    @Lazy
    MongoEventLoops oneMongoEventLoop() {
        return MongoEventLoops.oneThread();
    }

    /** Because this bean exists, Boot creates no event loops; they would be unused, and each stop would wait for them. */
    @Bean
    MongoClientSettings mongoClientSettings(MongoEventLoops loops, MongoClientProperties properties) {
        long connectMillis = properties.connectTimeout().toMillis();
        return MongoClientSettings.builder()
                .transportSettings(TransportSettings.nettyBuilder()
                        .eventLoopGroup(loops.group())
                        .socketChannelClass(loops.socketChannel())
                        .build())
                .timeout(properties.operationTimeout().toMillis(), MILLISECONDS)
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(connectMillis, MILLISECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout((int) connectMillis, MILLISECONDS))
                .build();
    }

    /** Boot's customizer. Boot adds it only if there is no settings bean; without it {@code spring.mongodb.ssl} has no effect. */
    @Bean
    StandardMongoClientSettingsBuilderCustomizer uriAndTls(MongoConnectionDetails connection) {
        return new StandardMongoClientSettingsBuilderCustomizer(connection, UuidRepresentation.STANDARD);
    }

    /** Unordered, so it is applied last and overrides the URI: {@code w=1} there has no effect. */
    @Bean
    MongoClientSettingsBuilderCustomizer guarantees() {
        return settings -> settings.writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .readConcern(ReadConcern.LOCAL)
                .readPreference(ReadPreference.primary())
                .retryWrites(true)
                .retryReads(true)
                .uuidRepresentation(UuidRepresentation.STANDARD);
    }

    /** The database of {@code spring.mongodb.database}, else of the URI, else {@code ligeiro}. */
    @Bean
    MongoDatabase mongoDatabase(MongoClient client, MongoProperties properties, MongoConnectionDetails connection) {
        String named = properties.getDatabase() == null
                ? connection.getConnectionString().getDatabase()
                : properties.getDatabase();
        return client.getDatabase(named == null ? DEFAULT_DATABASE : named);
    }

    /** The service's clock: whatever needs the time injects a {@link Clock}. */
    @Bean
    MongoClock mongoClock(MongoDatabase database, MeterRegistry meters) {
        return new MongoClock(database, Clock.systemUTC(), meters);
    }
}
