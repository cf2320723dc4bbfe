package dev.ligeiro.gateway.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.connection.TransportSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Transaction;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** The MongoDB client of the gateway. The address comes from {@code spring.mongodb.uri}, the guarantees from here. */
@Configuration(proxyBeanMethods = false)
class MongoConfiguration {

    /** Of one operation, finding a server included: with MongoDB away a caller is answered 503 within 3 seconds. */
    private static final int OPERATION_MS_MAX = 2_500;

    private static final int CONNECT_MS_MAX = 2_000;

    /** The client shares the HTTP server's event loops: two groups on two cores would take the cores from each other. */
    @Bean
    MongoClientSettings mongoClientSettings(ReactorResourceFactory resources, MongoConnectionDetails connection) {
        LoopResources loops = resources.getLoopResources();
        EventLoopGroup group = loops.onServer(true);
        @SuppressWarnings("unchecked")
        Class<? extends SocketChannel> channel = loops.onChannelClass(SocketChannel.class, group);
        return MongoClientSettings.builder()
                .applyConnectionString(connection.getConnectionString())
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .transportSettings(TransportSettings.nettyBuilder()
                        .eventLoopGroup(group)
                        .socketChannelClass(channel)
                        .build())
                .writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .readConcern(ReadConcern.LOCAL)
                .readPreference(ReadPreference.primary())
                .timeout(OPERATION_MS_MAX, TimeUnit.MILLISECONDS)
                .applyToSocketSettings(socket -> socket.connectTimeout(CONNECT_MS_MAX, TimeUnit.MILLISECONDS))
                .build();
    }

    @Bean
    MongoDatabase mongoDatabase(MongoClient client, ReactiveMongoDatabaseFactory factory) {
        return factory.getMongoDatabase()
                .map(database -> client.getDatabase(database.getName()))
                .blockOptional()
                .orElseThrow();
    }

    @Bean
    MongoCollection<Transaction> transactions(MongoDatabase database) {
        return database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()));
    }
}
