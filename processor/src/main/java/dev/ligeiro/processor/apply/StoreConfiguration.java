package dev.ligeiro.processor.apply;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.connection.TransportSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** The MongoDB client's limits and the store on top of it. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {

    private static final String DATABASE = "ligeiro";
    /** Before Boot's own customizer, which applies the URI: what an operator writes there wins. */
    private static final int BEFORE_THE_URI = -1;

    @Bean(destroyMethod = "shutdownGracefully")
    MultiThreadIoEventLoopGroup mongoEventLoops(StoreProperties properties) {
        return new MultiThreadIoEventLoopGroup(properties.ioThreads(), NioIoHandler.newFactory());
    }

    @Bean
    @Order(BEFORE_THE_URI)
    MongoClientSettingsBuilderCustomizer storeLimits(
            StoreProperties properties, @Qualifier("mongoEventLoops") MultiThreadIoEventLoopGroup eventLoops) {
        int millis = (int) properties.timeout().toMillis();
        return settings -> settings.transportSettings(TransportSettings.nettyBuilder()
                        .eventLoopGroup(eventLoops)
                        .build())
                .retryWrites(true)
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(millis, MILLISECONDS))
                .applyToSocketSettings(
                        socket -> socket.connectTimeout(millis, MILLISECONDS).readTimeout(millis, MILLISECONDS));
    }

    @Bean
    TransactionStore transactionStore(
            MongoClient client, MongoConnectionDetails connection, StoreProperties properties) {
        String named = connection.getConnectionString().getDatabase();
        return new TransactionStore(client.getDatabase(named == null ? DATABASE : named), properties.timeout());
    }
}
