package dev.ligeiro.gateway.mongo;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.MongoEventLoops;
import dev.ligeiro.transaction.Transaction;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import org.bson.codecs.configuration.CodecRegistries;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** The gateway's part of the MongoDB client: its event loops and the collection of transactions. */
@Configuration(proxyBeanMethods = false)
class MongoConfiguration {

    /** The client shares the HTTP server's event loops: two groups would compete for the same cores. */
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
    MongoCollection<Transaction> transactions(MongoDatabase database) {
        return database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()));
    }
}
