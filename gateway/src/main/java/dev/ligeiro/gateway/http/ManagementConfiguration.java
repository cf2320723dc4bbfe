package dev.ligeiro.gateway.http;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/** The management port serves from the public port's event loops: it has little to do, and threads of its own would idle. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class ManagementConfiguration {

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> sharedLoops(ReactorResourceFactory resources) {
        return factory -> factory.setResourceFactory(resources);
    }
}
