package dev.ligeiro.dispatcher;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.connection.TransportSettings;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What all packages share: the time, and how MongoDB is spoken to. */
@Configuration(proxyBeanMethods = false)
class DispatcherConfiguration {

    private static final int CONNECT_SECONDS = 3;
    private static final int SELECT_SECONDS = 5;
    private static final int READ_SECONDS = 20;

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** One thread serves all of MongoDB's connections: a dispatcher has a handful of calls under way, each for a whole batch. */
    @Bean(destroyMethod = "shutdownGracefully")
    MultiThreadIoEventLoopGroup mongoEventLoops() {
        return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    /** Durable writes, and a MongoDB that is away is noticed in seconds: every caller has its own way to wait for it. */
    @Bean
    MongoClientSettingsBuilderCustomizer durableAndQuickToFail(
            @Qualifier("mongoEventLoops") MultiThreadIoEventLoopGroup eventLoops) {
        return settings -> settings.transportSettings(TransportSettings.nettyBuilder()
                        .eventLoopGroup(eventLoops)
                        .build())
                .writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .readPreference(ReadPreference.primary())
                .readConcern(ReadConcern.LOCAL)
                .retryWrites(true)
                .retryReads(true)
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(SELECT_SECONDS, TimeUnit.SECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
                        .readTimeout(READ_SECONDS, TimeUnit.SECONDS));
    }
}
