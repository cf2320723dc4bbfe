package dev.ligeiro.dispatcher;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
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

    /** Durable writes, and a MongoDB that is away is noticed in seconds: every caller has its own way to wait for it. */
    @Bean
    MongoClientSettingsBuilderCustomizer durableAndQuickToFail() {
        return settings -> settings.writeConcern(WriteConcern.MAJORITY.withJournal(true))
                .readPreference(ReadPreference.primary())
                .readConcern(ReadConcern.LOCAL)
                .retryWrites(true)
                .retryReads(true)
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(SELECT_SECONDS, TimeUnit.SECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
                        .readTimeout(READ_SECONDS, TimeUnit.SECONDS));
    }
}
