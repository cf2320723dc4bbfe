package dev.ligeiro.gateway.store;

import com.mongodb.MongoClientSettings;
import com.mongodb.connection.TransportSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoClientShutdown;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoEventLoops;
import dev.ligeiro.transaction.Transaction;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.bson.codecs.configuration.CodecRegistries;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.ReactiveMongoClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** The gateway's part of the MongoDB clients: their event loops, the client for long reads, the collection of transactions. */
@Configuration(proxyBeanMethods = false)
class MongoConfiguration {

    private static final long IDLE_MINUTES_MAX = 10;

    /** The client for short operations shares the HTTP server's event loops: two groups would compete for the same cores. */
    @Bean(destroyMethod = "")
    MongoEventLoops mongoEventLoops(ReactorResourceFactory resources) {
        LoopResources loops = resources.getLoopResources();
        EventLoopGroup group = loops.onServer(true);
        @SuppressWarnings("unchecked")
        Class<? extends SocketChannel> channel = loops.onChannelClass(SocketChannel.class, group);
        return new MongoEventLoops(group, channel);
    }

    /** Spring Data's stores use the same database as the others. */
    @Bean
    ReactiveMongoDatabaseFactory reactiveMongoDatabaseFactory(MongoClient client, MongoDatabase database) {
        return new SimpleReactiveMongoDatabaseFactory(client, database.getName());
    }

    @Bean
    MongoCollection<Transaction> transactions(MongoDatabase database, CollectionSetup setup) {
        return transactionsOf(database, new TransactionCodec(setup::tokenDaysFrom));
    }

    /**
     * A client with the settings of the other one, but for its pool, its threads, and its name in MongoDB's log and {@code $currentOp}.
     */
    @Bean
    LongReads longReads(
            MongoClientSettings settings,
            ObjectProvider<MongoClientSettingsBuilderCustomizer> customizers,
            MongoDatabase database,
            LongReadProperties properties) {
        ExecutorService threads = LongReads.threads();
        List<MongoClientSettingsBuilderCustomizer> all =
                new ArrayList<>(customizers.orderedStream().toList());
        all.add(client -> client.applicationName("ligeiro-gateway-long-reads")
                .transportSettings(TransportSettings.asyncBuilder()
                        .executorService(threads)
                        .build())
                .applyToConnectionPoolSettings(pool -> pool.maxSize(properties.queriesMax())
                        .minSize(0)
                        .maxConnectionIdleTime(IDLE_MINUTES_MAX, TimeUnit.MINUTES)));
        return new LongReads(
                new ReactiveMongoClientFactory(all).createMongoClient(settings), database.getName(), threads);
    }

    @Bean
    MongoClientShutdown longReadsShutdown(LongReads reads) {
        return new MongoClientShutdown(reads.client());
    }

    static MongoCollection<Transaction> transactionsOf(MongoDatabase database, TransactionCodec codec) {
        return database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(
                        CodecRegistries.fromRegistries(CodecRegistries.fromCodecs(codec), database.getCodecRegistry()));
    }
}
