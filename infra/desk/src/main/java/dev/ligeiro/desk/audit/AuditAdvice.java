package dev.ligeiro.desk.audit;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Puts {@link AuditRequests} around the handlers, and around the check of their role: a refusal by it has an entry too. */
@Configuration(proxyBeanMethods = false)
class AuditAdvice {

    /** Spring Security's checks have 100 and more. */
    private static final int BEFORE_ROLES = 0;

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor auditsRequests(ObjectProvider<AuditRequests> requests) {
        MethodInterceptor advice = call -> requests.getObject()
                .around(
                        call,
                        requireNonNull(AuditedRoute.of(
                                call.getMethod(), requireNonNull(call.getThis()).getClass())));
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(new Handlers(), advice);
        advisor.setOrder(BEFORE_ROLES);
        return advisor;
    }

    private static final class Handlers extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return AuditedRoute.of(AopUtils.getMostSpecificMethod(method, type), type) != null;
        }
    }
}
