package dev.ligeiro.dispatcher.intake;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.ExponentialBackOff;

/** How the listener's batches are given again. */
@Configuration(proxyBeanMethods = false)
class IntakeConfiguration {

    private static final long BACK_OFF_MS = 500;
    private static final long BACK_OFF_MAX_MS = 10_000;

    /** A batch is given again until it passes, whatever the fault: records that can never pass have left it by then. */
    @Bean
    CommonErrorHandler batchIsGivenAgain() {
        ExponentialBackOff backOff = new ExponentialBackOff(BACK_OFF_MS, 2);
        backOff.setMaxInterval(BACK_OFF_MAX_MS);
        DefaultErrorHandler handler = new DefaultErrorHandler(backOff);
        // by default some exceptions count as fatal: their batches would be skipped
        handler.setClassifications(Map.of(), true);
        return handler;
    }
}
