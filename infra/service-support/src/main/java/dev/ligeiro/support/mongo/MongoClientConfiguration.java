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
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Clock;
import java.time.Duration;
import org.bson.UuidRepresentation;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoProperties;
import org.springframework.boot.mongodb.autoconfigure.StandardMongoClientSettingsBuilderCustomizer;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.validation.annotation.Validated;

/**
 * The MongoDB client of a service, and MongoDB's clock. Spring Boot builds the client in three steps, each of which overrides the one
 * before: the event loops and time-outs of this service, the operator's {@code spring.mongodb.uri} and {@code spring.mongodb.ssl}, and the
 * guarantees that no setting can weaken.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MongoClientConfiguration.MongoClientProperties.class)
@Import({MongoClientConfiguration.MongoClientShutdown.class, LeaseStore.class})
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
                .applyToServerSettings(server -> server.addServerListener(new MongoRefusals()))
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

    /**
     * The time-outs of the MongoDB client. {@code connectTimeoutMS}, {@code serverSelectionTimeoutMS} and {@code timeoutMS} in
     * {@code spring.mongodb.uri} override them.
     *
     * @param connectTimeout limit of finding a server, and of opening a connection
     * @param operationTimeout limit of one operation from its call to its result, finding a server and retries included
     */
    @Validated
    @ConfigurationProperties("ligeiro.mongodb")
    public record MongoClientProperties(
            @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(seconds = 30) Duration connectTimeout,
            @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(seconds = 60) Duration operationTimeout) {}

    /** The event loops of the MongoDB client's connections, and the socket type that fits them. */
    public record MongoEventLoops(EventLoopGroup group, Class<? extends SocketChannel> socketChannel) {

        static MongoEventLoops oneThread() {
            return new MongoEventLoops(
                    new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()), NioSocketChannel.class);
        }

        void shutdownGracefully() {
            group.shutdownGracefully();
        }
    }

    /**
     * Closes the client while its event loops still run. The gateway's client uses the event loops of the HTTP server, which Spring
     * stops in phase 0, before it destroys the client's bean. A client that is closed after its event loops logs failed connections.
     */
    public static final class MongoClientShutdown implements SmartLifecycle {

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
}
