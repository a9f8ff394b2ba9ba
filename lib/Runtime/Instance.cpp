//===- Instance.cpp - A bound model's control block -----------------------===//

#include "Instance.h"

#include "Error.h"

using namespace tt::runtime;

InstanceCall::InstanceCall(tt_instance *newInstance)
    : instance(newInstance), result(TT_OK) {
  if (!instance)
    result = fail(TT_ERR_ARGUMENT, "expected an instance, but got NULL");
  else if (reinterpret_cast<uintptr_t>(instance) % kAlignment != 0)
    result = fail(TT_ERR_ARGUMENT,
                  "expected an instance, but got an address that is not a "
                  "multiple of %u",
                  unsigned(kAlignment));
  else if (instance->magic != kInstanceMagic || instance->self != instance)
    result = fail(TT_ERR_STATE, "the instance is not bound or was released");
  else if (__atomic_exchange_n(&instance->isBusy, 1, __ATOMIC_ACQUIRE) != 0)
    result = fail(TT_ERR_STATE, "another call is running in this instance");
}

InstanceCall::~InstanceCall() {
  // Releases what this call took, nobody else's hold.
  if (result == TT_OK)
    __atomic_store_n(&instance->isBusy, 0, __ATOMIC_RELEASE);
}
